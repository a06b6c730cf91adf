/** Renders templates. Register one: `definitions.set(ViewEngine, new EdgeViewEngine({ directory }))`. */
export abstract class ViewEngine {
  /**
   * @param template Name of a template; never text from a client.
   * @param data What the template sees.
   * @returns The page.
   * @throws {Error} If there is no such template or it fails.
   */
  abstract render(template: string, data: Readonly<Record<string, unknown>>): Promise<string>
}
