// Stands in for one store of the database where that fails: the same few requests, answered from this page's memory.
const answered = (result) => ({ readyState: "done", result });

export function memoryStore({ keyPath }) {
  const rows = new Map();
  let last = 0;
  const store = {
    get: (key) => answered(rows.get(key)),
    getAll: () => answered([...rows.values()]),
    index: (name) => ({ get: (value) => answered([...rows.values()].find((row) => row[name] === value)) }),
    put(row) {
      const key = row[keyPath] ?? last + 1;
      if (typeof key === "number") last = Math.max(last, key);
      rows.set(key, { ...row, [keyPath]: key });
      return answered(key);
    },
    delete: (key) => answered(rows.delete(key)),
    // Takes over what the database holds.
    fill(others) {
      rows.clear();
      others.forEach(store.put);
    },
  };
  return store;
}
