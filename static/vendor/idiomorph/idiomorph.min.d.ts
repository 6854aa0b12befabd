// What is used of the library.
export const Idiomorph: { morph(shown: Element, wanted: Element, options: { callbacks: Record<string, (...given: any[]) => boolean> }): void };
