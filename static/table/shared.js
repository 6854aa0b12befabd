// What nearly every script of a table and of games uses: served as one file, which the other bundles import
// (clubscore/site/static_storage.py).
import "../vendor/lit-html/lit-html.js";
import "../web/browser.js";
import "../web/dom.js";
import "../web/html.js";
import "./engine/engine.js";
import "./outbox/commands.js";
import "./outbox/flash.js";
import "./outbox/kept_pages.js";
import "./outbox/last_answer.js";
import "./outbox/starting.js";
import "./outbox/store.js";
import "./outbox/words.js";
import "./views.js";
