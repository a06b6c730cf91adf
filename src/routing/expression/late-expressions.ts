import { late, sentence } from '../../core/internal.ts'
import type * as Engine from './linear-expression.ts'

const engine = late(() => import('./linear-expression.ts'))

/**
 * Loads what runs the expressions of `where()`: many applications have none.
 */
export async function loadExpressions(): Promise<void> {
  await engine()
}

/**
 * Compiles an expression. An application that has any has loaded what is needed for it, while it booted.
 *
 * @throws {SyntaxError} If the expression cannot be read, or is too large.
 */
export function expressionOf(source: string): Engine.LinearExpression {
  const loaded = engine()
  if (loaded instanceof Promise)
    throw new Error(
      sentence`Cannot run the expression "${source}": no route had one when the application booted`,
    )
  return new loaded.LinearExpression(source)
}
