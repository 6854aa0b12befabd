// On every page: registers the service worker, for people who open Clubscore from the Home Screen without the server, and
// warns a browser that is too old for the hand-entry page. Such a browser has to read this, so all of it is ES5.
(function () {
  var LATER = 1500;
  // Object.hasOwn came with Safari 15.4, the oldest browser that Clubscore supports: tests/test_browser_floor.py.
  var isTooOld = !Object.hasOwn;
  var notice = document.getElementById("too-old");

  if (notice && isTooOld) {
    notice.hidden = false;
    document.getElementById("opening").hidden = true;
  }

  function register() {
    // Without it a page needs the server; all else is the same.
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).then(null, function () {});
  }

  if (!isTooOld && "serviceWorker" in navigator && window.isSecureContext) setTimeout(register, LATER);
})();
