// On the front page: fetches the rules and begins them while nobody waits, as somebody may press “Score a game now”.
import { whenIdle } from "../web/browser.js";
import { readJson } from "../web/dom.js";
import { ask } from "./engine/engine.js";

whenIdle(() => ask(readJson("engine-files")));
