import type { TestContext } from 'node:test'

/** @returns The lengths of the texts that are normalized from now to its end, filled as they are. */
export function normalizedLengths(test: TestContext): readonly number[] {
  const lengths: number[] = []
  const normalize = Reflect.get(String.prototype, 'normalize')
  test.mock.method(String.prototype, 'normalize', function (this: string, form: string) {
    lengths.push(this.length)
    return normalize.call(this, form)
  })
  return lengths
}
