import { fileURLToPath } from 'node:url'
import { generate } from 'otplib/functional'
import { type Answer, Program as AnyProgram, Visitor as AnyVisitor } from 'sallyport-app/testing'
import type { Scope } from '../support.ts'
import { CONDITIONS, INHERITED } from '../conditions.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** The starter as a program of its own, which is killed after the test. */
export class Program extends AnyProgram {
  constructor(scope: Scope, variables: Readonly<Record<string, string>>, parameters: readonly string[] = []) {
    super([...CONDITIONS, MAIN, ...parameters], { scope, env: { ...INHERITED, PORT: '0', ...variables } })
  }

  /** @returns Where it listens, once it says so. */
  async url(): Promise<string> {
    return (await this.find(/http:\/\/\S+/))[0]
  }

  /** @returns The banner, once it is whole. */
  async banner(): Promise<string> {
    await this.find(/Ctrl\+C/)
    return this.output
  }

  /** @returns Secret of the demo account's factor, as the banner shows it. */
  async secret(): Promise<string> {
    return (await this.find(/Secret\s+([A-Z2-7]{32})/))[1] ?? ''
  }
}

/** Somebody who comes to the doors. */
export class Visitor extends AnyVisitor {
  /** @returns Another one with the same cookies and the same page. */
  twin(): Visitor {
    return new Visitor(this.url, { before: this })
  }

  /** Goes through the first door, as the demo account. */
  async password(password: string): Promise<Answer> {
    await this.open('/login')
    return this.submit('/login', { email: 'demo@sallyport.test', password })
  }

  /** Goes through the second door. */
  async code(code: string): Promise<Answer> {
    await this.open('/login/2fa')
    return this.submit('/login/2fa', { code })
  }
}

/** @returns The current code of a secret in Base32. */
export function codeNow(secret: string): Promise<string> {
  return generate({ secret, epoch: Math.floor((performance.timeOrigin + performance.now()) / 1000) })
}
