// Makes of a page one that every check must find something wrong with.
() => {
  document.querySelector("main").innerHTML = `
    <p id="pale">Pale and small</p><button id="little">x</button><button id="near">y</button><img src="/static/none.png">
    <div id="wide">Wide</div><div id="turned"><b>First</b><b>Second</b></div>
    <button id="under">Under a bar</button><div id="bar">Bar</div><button id="late" tabindex="3">Before its turn</button>
    <button id="bare">Without a ring</button><button id="trapped">Trap</button><button id="unreached">After the trap</button>`;
  const style = (id, properties) => Object.assign(document.getElementById(id).style, properties);
  style("pale", { color: "#6b6b6b", fontSize: "12px" });
  for (const id of ["little", "near"]) style(id, { all: "unset", display: "inline-block", width: "20px", height: "20px" });
  style("wide", { width: "1400px" });
  style("turned", { display: "flex", flexDirection: "row-reverse", justifyContent: "flex-end" });
  style("under", { position: "fixed", bottom: "0", left: "0", transition: "none" });
  style("bar", { position: "fixed", bottom: "0", left: "0", width: "100%", height: "120px", background: "#fff", zIndex: 9 });
  style("late", { transition: "color 1s" });
  document.getElementById("bare").style.setProperty("outline", "none", "important");
  const keep = (event) => { if (event.key === "Tab") event.preventDefault(); };
  document.getElementById("trapped").addEventListener("keydown", keep);
}
