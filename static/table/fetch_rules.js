// On the front page: fetches the rules while nobody waits, as somebody may press “Score a game now”.
import { whenIdle } from "../web/browser.js";
import { readJson } from "../web/dom.js";

whenIdle(() => {
  for (const file of Object.values(readJson("engine-files"))) fetch(file).catch(() => null);
});
