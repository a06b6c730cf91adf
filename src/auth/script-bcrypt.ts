import { bcryptCost, type HashFunction } from './hash-function.ts'

/** @returns Bcrypt of `bcryptjs`, on the thread of the application, in turns with others. */
export async function loadScriptBcrypt(): Promise<HashFunction> {
  const { compare, hash } = await import('bcryptjs')
  return {
    implementation: 'script',
    hash: (password, parameters) => hash(password, bcryptCost(parameters)),
    verify: compare,
  }
}
