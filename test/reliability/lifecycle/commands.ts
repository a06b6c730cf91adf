import fc from 'fast-check'
import type { Deed } from './deeds.ts'
import { NOTES } from './deeds.ts'
import type { Model } from './model.ts'
import { type Accident, type Asking, type Order, type Run, TABS } from './run.ts'

type Command = fc.AsyncCommand<Model, Run>

// Around every limit: a tombstone, the rolling of the expiry, a pending login, the idle and the absolute lifetime.
const SECONDS = [1, 29, 30, 59, 60, 61, 299, 300, 1739, 1799, 1800, 3600, 5399, 5400] as const

const tab = fc.nat(TABS - 1)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Deed>({ do: 'page' }) },
  { weight: 3, arbitrary: fc.constantFrom<Deed>({ do: 'logout' }, { do: 'rotate' }) },
  { weight: 1, arbitrary: fc.constantFrom<Deed>({ do: 'flash' }, { do: 'end' }, { do: 'restart' }) },
  {
    weight: 3,
    arbitrary: fc.record<Deed & { do: 'password' }>({
      do: fc.constant('password'),
      who: fc.constantFrom('ada', 'ada', 'bob'),
      isRight: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record<Deed & { do: 'code' }>({
      do: fc.constant('code'),
      isRight: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record<Deed & { do: 'note' | 'forget' }>({
      do: fc.constantFrom('note', 'note', 'forget'),
      key: fc.nat(NOTES - 1),
    }),
  },
)
const token = fc.constantFrom(
  'fresh',
  'fresh',
  'fresh',
  'fresh',
  'fresh',
  'fresh',
  'stale',
  'foreign',
  'none',
)
const asking: fc.Arbitrary<Asking> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ tab, deed, token }) },
  // An identifier of before: of another tab, of a page in the cache, or stolen.
  { weight: 1, arbitrary: fc.record({ tab, deed, token, older: fc.nat(4) }) },
)
const accident = fc.constantFrom<Accident>(
  'lost',
  'cut',
  { on: 'read', side: 'before' },
  { on: 'read', side: 'after' },
  { on: 'write', side: 'before' },
  { on: 'write', side: 'after' },
)
const order = fc.constantFrom<Order>('ABAB', 'ABBA', 'BAAB', 'BABA', 'free', 'free')
const HOUR = 3600
const YEAR = 365 * 24 * HOUR
// How far clocks are set, one way or the other. Around every limit, also that of a record dated ahead.
const STEPS = [1, 29, 30, 31, 59, 60, 61, 62, 299, 300, 301, 1799, 1801, HOUR, 24 * HOUR, YEAR, 20 * YEAR]
const jump = fc.tuple(fc.constantFrom(...STEPS), fc.boolean()).map(([far, isBack]) => (isBack ? -far : far))
// Mostly none: a request that is slower than a tombstone is rare, and so is one during which a clock is set.
const slowness = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(1, 29, 30, 31, 61, 300) },
  { weight: 3, arbitrary: jump },
)
// No store has to keep a date before 1970.
const EARLIEST = Date.UTC(1980, 0)
const LATEST = Date.UTC(2200, 0)

class Ask implements Command {
  readonly #asking: Asking
  readonly #accident: Accident

  constructor(asking: Asking, accident: Accident = 'none') {
    this.#asking = asking
    this.#accident = accident
  }

  check(): boolean {
    return true
  }

  run(model: Model, run: Run): Promise<void> {
    return run.ask(model, this.#asking, this.#accident)
  }

  toString(): string {
    return `ask(${JSON.stringify(this.#asking)}, ${JSON.stringify(this.#accident)})`
  }
}

class SignIn implements Command {
  readonly #tab: number
  readonly #who: 'ada' | 'bob'

  constructor(tab: number, who: 'ada' | 'bob') {
    this.#tab = tab
    this.#who = who
  }

  check(): boolean {
    return true
  }

  async run(model: Model, run: Run): Promise<void> {
    const ask = (deed: Deed): Promise<void> => run.ask(model, { tab: this.#tab, deed, token: 'fresh' })
    await ask({ do: 'password', who: this.#who, isRight: true })
    if (this.#who === 'ada') await ask({ do: 'code', isRight: true })
  }

  toString(): string {
    return `signIn(${this.#tab}, ${this.#who})`
  }
}

class Race implements Command {
  readonly #pair: readonly [Asking, Asking]
  readonly #order: Order
  readonly #seconds: number

  constructor(pair: readonly [Asking, Asking], order: Order, seconds: number) {
    this.#pair = pair
    this.#order = order
    this.#seconds = seconds
  }

  check(model: Readonly<Model>): boolean {
    return isPlausible(model, this.#seconds)
  }

  run(model: Model, run: Run): Promise<void> {
    return run.race(model, this.#pair, this.#order, this.#seconds)
  }

  toString(): string {
    return `race(${JSON.stringify(this.#pair)}, ${this.#order}, ${this.#seconds})`
  }
}

class Wait implements Command {
  readonly #seconds: number

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  check(): boolean {
    return true
  }

  run(model: Model, run: Run): Promise<void> {
    return run.move(model, this.#seconds)
  }

  toString(): string {
    return `wait(${this.#seconds})`
  }
}

class Jump implements Command {
  readonly #seconds: number

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  check(model: Readonly<Model>): boolean {
    return isPlausible(model, this.#seconds)
  }

  run(model: Model, run: Run): Promise<void> {
    return run.move(model, this.#seconds)
  }

  toString(): string {
    return `jump(${this.#seconds})`
  }
}

function isPlausible({ now }: Readonly<Model>, seconds: number): boolean {
  const then = now + seconds * 1000
  return then >= EARLIEST && then <= LATEST
}

// The tabs of a pair are mostly those of one browser: only they can get in each other's way.
const pair = fc
  .tuple(asking, asking, fc.integer({ min: 0, max: 3 }))
  .map(([a, b, chance]): [Asking, Asking] => [a, chance === 0 ? b : { ...b, tab: a.tab ^ 1 }])

const kinds: readonly fc.Arbitrary<Command>[] = [
  asking.map((one) => new Ask(one)),
  asking.map((one) => new Ask(one)),
  fc.tuple(asking, accident).map(([one, what]) => new Ask(one, what)),
  fc.tuple(tab, fc.constantFrom('ada', 'bob')).map(([where, who]) => new SignIn(where, who)),
  fc.tuple(pair, order, slowness).map(([two, how, seconds]) => new Race(two, how, seconds)),
  fc.tuple(pair, order, slowness).map(([two, how, seconds]) => new Race(two, how, seconds)),
  fc.constantFrom(...SECONDS).map((seconds) => new Wait(seconds)),
  jump.map((seconds) => new Jump(seconds)),
]

/**
 * @param most Most steps of a sequence; on average there are half as many.
 * @param replayPath Repeats one sequence exactly, as a failure tells.
 * @returns Sequences of steps.
 */
export function sequences(most: number, replayPath: string | undefined): fc.Arbitrary<Iterable<Command>> {
  const options = replayPath === undefined ? {} : { replayPath }
  return fc.commands([...kinds], { maxCommands: most, size: 'max', ...options })
}
