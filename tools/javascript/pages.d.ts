// What tsc cannot know of the pages: an id or a selector finds what its script expects, and events come from elements.

declare const htmx: any;

interface Window {
  qrcode: any;
}

interface Navigator {
  standalone?: boolean;
}

interface Document {
  getElementById(id: string): any;
}

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface EventTarget {
  closest(selector: string): any;
  matches(selector: string): boolean;
  dataset: DOMStringMap;
  method: string;
}

interface Event {
  detail: any;
}

interface Element {
  drawnFor: string;
  focus(options?: FocusOptions): void;
  hidden: any;
  selectionStart: number;
}
