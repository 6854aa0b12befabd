// On every page: registers the service worker, for people who open Clubscore from the Home Screen without the server, leads
// from the pages beside a table back to it, and warns a browser that is too old for the hand-entry page. Such a browser has
// to read this, so all of it is ES5.
(function () {
  var LATER = 1500;
  // Object.hasOwn came with Safari 15.4, the oldest browser that Clubscore supports: tests/test_browser_floor.py.
  var isTooOld = !Object.hasOwn;
  var notice = document.getElementById("too-old");

  if (notice && isTooOld) {
    notice.hidden = false;
    document.getElementById("opening").hidden = true;
  }

  // What someone reads or tries in the middle of a hand.
  var BESIDE = /^(worth|practice|looks|first-hand|words|learning|when-the-wifi-fails|rules)\/|\/rules\//;
  // A site of files may be under any path; its manifest is at the root.
  var manifest = document.querySelector("link[rel=manifest]");
  var root = manifest ? manifest.href.replace(location.origin, "").replace(/[^/]*$/, "") : "/";

  function leadBack() {
    var data = document.getElementById("table-state");
    var state = data ? JSON.parse(data.textContent) : {};
    var place = document.getElementById("to-table");
    if (state.urls) sessionStorage.table = JSON.stringify({ address: state.urls.table, number: state.table });
    if (!place || !BESIDE.test(location.pathname.slice(root.length)) || !sessionStorage.table) return;
    var table = JSON.parse(sessionStorage.table);
    place.firstChild.href = table.address;
    place.firstChild.textContent = "‹ Back to table ".concat(table.number);
    place.hidden = false;
  }

  try {
    leadBack();
  } catch (_error) {
    // A browser that keeps nothing has nothing to lead back to.
  }

  function register() {
    // Without it a page needs the server; all else is the same.
    navigator.serviceWorker.register(root.concat("sw.js"), { updateViaCache: "none" }).then(null, function () {});
  }

  if (!isTooOld && "serviceWorker" in navigator && window.isSecureContext) setTimeout(register, LATER);
})();
