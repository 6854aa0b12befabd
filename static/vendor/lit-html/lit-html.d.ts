// What the pages use of static/vendor/lit-html.
export declare function html(strings: TemplateStringsArray, ...values: unknown[]): any;
export declare function render(content: unknown, place: any): void;
export declare const nothing: any;
