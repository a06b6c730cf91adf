/** placeholder, see below */
export class LinearExpression {
  readonly source: string
  readonly #expression: RegExp
  constructor(source: string) {
    this.source = source
    this.#expression = new RegExp(`^(?:${source})$`, 'u')
  }
  test(text: string): boolean {
    return this.#expression.test(text)
  }
}
