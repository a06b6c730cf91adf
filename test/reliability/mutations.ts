/**
 * Texts that are nearly right: what a grammar made, changed here and there. Every run has dice of its own, so one that
 * failed is repeated alone: `FUZZ_SEED=123 FUZZ_RUN=4711 npm test -- reliability/fuzz`.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'

import { figure } from './figure.ts'

const PARSERS = 17
const PER_CHANGE = 5000
const MOST_SHOWN = 3
// All parsers together have FUZZ_RUNS, and each of them no fewer than in a run per change.
const RUNS = Math.max(PER_CHANGE, Math.ceil(Number(process.env['FUZZ_RUNS'] ?? 0) / PARSERS))
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const ONLY = process.env['FUZZ_RUN']

const STRANGE = [
  ...'\0\t\n\r\u001b \u007f\u0085\u00a0\u00e9\u00ff\u0130\u017f\u2028\ufeff\uffff\ud800\udc00',
  ...'%+&=;,:"\'\\/?#@[]{}()<>*.-_~^`|$!aZ09',
  '\r\n',
  '%00',
  '%0a',
  '%2f',
  '%c0%af',
  '%ff',
  '%ED%A0%80',
  '😀',
  '__proto__',
  'constructor',
  '\u001e',
  '\u001f',
]

/** Chance that can be repeated: mulberry32. */
export class Dice {
  #state: number

  /** The same seed gives the same throws. */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 up to, and without, the bound. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }

  /** One of them. */
  pick<T>(list: readonly [T, ...T[]]): T
  pick<T>(list: readonly T[]): T | undefined
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** True once in so many throws. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  /** A few of what is made, joined. */
  some(most: number, make: () => string, separator = ''): string {
    return Array.from({ length: this.below(most + 1) }, make).join(separator)
  }

  /** Letters, digits and now and then something strange. */
  word(most = 8): string {
    return this.some(most, () =>
      this.once(6) ? (this.pick(STRANGE) ?? '') : (this.pick([...'abcxyzABC0129-._~']) ?? ''),
    )
  }
}

/** Changes a text in up to four places; now and then leaves it as it is. */
export function mutate(text: string, dice: Dice): string {
  let mutated = text
  for (let changes = dice.below(5); changes > 0; changes--) mutated = changed(mutated, dice)
  return mutated
}

function changed(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1)
  const end = at + dice.below(dice.once(3) ? text.length - at + 1 : Math.min(6, text.length - at + 1))
  const [before, span, behind] = [text.slice(0, at), text.slice(at, end), text.slice(end)]
  switch (dice.below(9)) {
    case 0:
      return before + behind
    case 1:
      return before + span + span + behind
    case 2:
      return before + span.repeat(dice.once(40) ? 500 : dice.below(6)) + behind
    case 3:
      return before
    case 4:
      return before + [...span].toReversed().join('') + behind
    case 5:
      return before + (dice.once(2) ? span.toUpperCase() : span.toLowerCase()) + behind
    case 6:
      return before + String.fromCharCode(dice.below(dice.once(4) ? 65_536 : 256)) + behind
    case 7:
      return before + encodeURI(span.toWellFormed()) + behind
    default:
      return before + (dice.pick(STRANGE) ?? '') + span + behind
  }
}

/** A parser, what it is given, and what must hold of it. */
export interface Fuzzed<T> {
  /** For messages. */
  readonly name: string
  /** Makes an input: well-formed by a grammar, then mutated. */
  readonly sample: (dice: Dice) => T
  /** Throws where something does not hold. Gives whether the input was accepted, so that a run shows that some were. */
  readonly check: (input: T, dice: Dice) => boolean | Promise<boolean>
}

/** Tries a parser with many inputs; those that fail are shown with what repeats them. */
export async function fuzz<T>(t: TestContext, fuzzed: Fuzzed<T>): Promise<void> {
  const runs = ONLY === undefined ? RUNS : 1
  const failures: string[] = []
  let accepted = 0
  for (let i = 0; i < runs && failures.length < MOST_SHOWN; i++) {
    const run = ONLY === undefined ? i : Number(ONLY)
    const dice = new Dice(Math.imul(SEED + run, 2_654_435_761))
    const input = fuzzed.sample(dice)
    try {
      if (await fuzzed.check(input, dice)) accepted++
    } catch (error) {
      const shown = inspect(input, { maxStringLength: 1000 })
      failures.push(`FUZZ_SEED=${SEED} FUZZ_RUN=${run}: ${String(error)}: ${shown}`)
    }
  }
  const what = `${fuzzed.name}: exceptions other than refusals in ${runs} inputs, ${accepted} accepted (FUZZ_SEED=${SEED})`
  figure(t, 'R-71', { what, value: failures.length, goal: '0' })
  assert.deepEqual(failures, [])
  if (ONLY === undefined) assert.ok(accepted > 0 && accepted < runs, `${accepted} of ${runs} were accepted`)
}
