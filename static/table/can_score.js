// On the page that starts a game, which nobody else can score: says before it begins that this browser cannot either.
import { whenIdle } from "../web/browser.js";
import { byId, readJson } from "../web/dom.js";
import { message } from "../web/html.js";
import { canStart } from "./engine/engine.js";

const TOO_OLD = "This browser is too old to work out the scores of a game. Score it on a newer tablet or phone.";

whenIdle(async () => {
  const files = readJson("engine-files");
  if (await canStart(files)) return;
  // Not for want of the files, as without the network.
  const isThere = await Promise.all(
    Object.values(files).map((file) =>
      fetch(file).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  if (isThere.every(Boolean)) byId("messages").append(message(TOO_OLD, "warning"));
});
