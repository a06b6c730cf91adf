import type { TestedRuntime } from './runtimes.ts'

/** Tests that fail on a runtime, and why that is right. */
export interface Difference {
  readonly runtimes: readonly TestedRuntime['runtime'][]
  /** The ends of their titles. */
  readonly titles: readonly string[]
  readonly reason: string
}

/** All differences that are known. */
export const differences: readonly Difference[] = [
  {
    runtimes: ['node22', 'deno'],
    titles: [
      'verify each other’s hashes of argon2id [HOST-07]',
      'write strings of argon2id of the same form, with a new salt each time [HOST-07]',
      'reads hashes of argon2i and argon2d: loadPlatformArgon2 [HOST-07]',
      'refuses a salt or digest that is too short or no base64: loadPlatformArgon2 [HOST-07]',
    ],
    reason: 'It has no argon2 in `node:crypto`, so passwords are hashed by native code or by a script.',
  },
  {
    runtimes: ['node22'],
    titles: ['refuses (?i:a)'],
    reason: 'Its regular expressions do not have `(?i:a)`, which it rejects with another message.',
  },
  {
    runtimes: ['bun'],
    titles: [
      'leaves no timer behind for callers whose turn came',
      'costs at most twice its bytes and 64 KiB, in chunks of one byte [HOLD-04]',
    ],
    reason: 'Tests cannot see its timers and its memory.',
  },
  {
    runtimes: ['bun'],
    titles: [
      'parses what a platform writes, whatever the names and values [HOLD-07]',
      'accepts UTF-8, and the bytes of a file unchanged [HOLD-07]',
    ],
    reason: 'Its `Request` and `File` add or lose a content type before the framework sees them.',
  },
  {
    runtimes: ['bun'],
    titles: ['refuses ["tl","fil"] [OPEN-40]'],
    reason: 'Its `Intl` does not know that `tl` and `fil` are the same language, so do not declare both.',
  },
  {
    runtimes: ['bun'],
    titles: ['costs nothing when the body came with its head [ACCT-02]'],
    reason: 'A form costs a second read of the session, because a body never arrives together with its head.',
  },
  {
    runtimes: ['deno'],
    titles: [
      'flash().add() after the response is a warning when nobody awaits it, and changes nothing [HOLD-54]',
    ],
    reason: 'It adds its own warning about many listeners.',
  },
]
