/** Renders templates. Register one: `definitions.set(ViewEngine, new EdgeViewEngine({ directory }))`. */
export abstract class ViewEngine {
  /**
   * @param template Name of a template; never input from a client.
   * @param data Data for the template.
   * @returns The page.
   * @throws {Error} If the template does not exist or fails.
   */
  abstract render(template: string, data: Readonly<Record<string, unknown>>): Promise<string>
}
