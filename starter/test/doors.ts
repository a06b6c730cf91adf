/** Every second door, of the core and of parts, for somebody who has enrolled. @module */
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT } from '../core/limits/limits.ts'
import { PARTS } from '../parts.ts'
import { ofParts } from './facts-of-parts.ts'
import { DOOR, RECOVERY } from './flow/steps.ts'
import type { Browser, Person, World } from './support.ts'

/** Somebody with an authenticator and recovery codes. */
export interface Enrolled {
  readonly world: World
  readonly person: Person
  readonly codes: readonly string[]
}

type Fields = Readonly<Record<string, string>>

/** A door. */
export interface AnyDoor {
  /** Path of its page, and of the form there. */
  readonly page: string
  /** Wrong codes that lock it. Default: it is locked as an authenticator is, or by nothing. */
  readonly failures?: number | undefined
  /** Whether it proves a factor of the account, or what stands for one. */
  readonly isProof: boolean
  /** Fills its form in, in a browser in which the password was proven. */
  readonly prove: (browser: Browser, owner: Enrolled) => Promise<Fields>
  /** The same form with what is wrong. */
  readonly wrong: (owner: Enrolled) => Promise<Fields>
}

const KINDS = PARTS.flatMap(({ factorKinds = [] }) => factorKinds)

/** The authenticator's. */
export const APP_DOOR: AnyDoor = {
  page: DOOR,
  failures: AUTHENTICATOR_LIMIT.failures,
  isProof: true,
  prove: async (_browser, { world, person }) => ({ code: await world.code(person) }),
  wrong: async ({ world, person }) => ({ code: await world.wrongCode(person) }),
}

/** The doors by their kinds. */
export const ALL_DOORS: Readonly<Record<string, AnyDoor>> = {
  totp: APP_DOOR,
  recovery: {
    page: RECOVERY,
    failures: RECOVERY_LIMIT.failures,
    isProof: true,
    prove: (_browser, { codes: [code = ''] }) => Promise.resolve({ code }),
    wrong: () => Promise.resolve({ code: '0000-0000-0000' }),
  },
  ...Object.fromEntries(
    Object.values(ofParts('doors')).map(({ kind, page, prove, wrong }): [string, AnyDoor] => {
      const of = KINDS.find((each) => each.kind === kind)
      const failures = of?.codes === undefined ? of?.limit?.('', '').limit.failures : undefined
      const isProof = of?.isHeld === true
      const filled: Pick<AnyDoor, 'prove' | 'wrong'> = {
        prove: async (browser, { world }) => ({ ...(await prove(browser, world)) }),
        wrong: () => Promise.resolve(wrong),
      }
      return [kind, { page, failures, isProof, ...filled }]
    }),
  ),
}
