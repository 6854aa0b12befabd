// How tools/make_tiles.py has the outlines of the tiles written: one decimal, and nothing else changed.
export default { floatPrecision: 1, plugins: ["convertPathData"] };
