/** What people, administrators and attackers do with accounts, by chance. @module */
import fc from 'fast-check'

/** How many browsers there are. */
export const BROWSERS = 2
/** The accounts. */
export const NAMES = ['ada', 'bob', 'eve'] as const
/** An account. */
export type Name = (typeof NAMES)[number]
/** Wrong codes of an attack: one more locks an app. */
export const ATTACK = 6

// One member for each name, so that a comparison with a name narrows.
type In<Do extends string, Given = unknown> = Do extends string
  ? { readonly do: Do; readonly browser: number } & Given
  : never

/** A step in a browser. */
export type Act =
  | In<'password', { readonly who: Name; readonly typed?: 'other password' | 'former address' }>
  | In<'code', { readonly isRight: boolean }>
  | In<'count', { readonly skip: number }>
  | In<'logout' | 'make' | 'look' | 'others' | 'all' | 'add-key' | 'renew' | 'enroll' | 'leave'>
  | In<'add-counter' | 'remove-counter' | 'delete' | 'new-address' | 'lose' | 'continue'>
  | In<'recover', { readonly code: number }>
  | In<'key' | 'key-alone' | 'remove-key' | 'confirm-key', { readonly key: number }>
  | In<'confirm', { readonly isRight: boolean; readonly step: -2 | 0; readonly device: 'app' | 'counter' }>
  | In<'confirm-recovery', { readonly isRight: boolean; readonly code: number }>
  | In<'new-password', { readonly password: 0 | 1 | 2 }>
  | In<
      'unlock' | 'use-address' | 'use-restore' | 'stay' | 'use-lost' | 'stop-lost',
      { readonly link: number }
    >
  | In<'revoke' | 'keep', { readonly token: number }>

/** One step. */
export type Action =
  | Act
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'sleep'; readonly days: number }
  | { readonly do: 'erase' }
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change' | 'reset' | 'take-away' | 'attack'; readonly who: Name }

const browser = fc.nat(BROWSERS - 1)
const who = fc.constantFrom<Name>('ada', 'ada', 'ada', 'bob', 'eve')
// Who has an app from the beginning.
const holder = fc.constantFrom<Name>('ada', 'ada', 'eve')
const token = fc.nat(2)
// The newest one, or the one before it.
const newest = fc.constantFrom(0, 0, 0, 1)
const code = fc.nat(11)
const password = fc.constantFrom<0 | 1 | 2>(0, 1, 1, 2)
// The used counter, the next one, the last one that is looked at, and the one after it.
const skip = fc.constantFrom(0, 1, 1, 5, 6)

const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('password' as const), browser, who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('code' as const), browser, isRight: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('make', 'look', 'logout', 'add-key', 'renew', 'enroll', 'enroll', 'leave'),
      browser,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('add-counter', 'remove-counter', 'delete', 'new-address', 'lose', 'continue'),
      browser,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('count' as const), browser, skip }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recover' as const), browser, code }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('key', 'key-alone', 'remove-key', 'confirm-key'),
      browser,
      key: newest,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('confirm' as const),
      browser,
      isRight: fc.constantFrom(true, true, false),
      step: fc.constantFrom<-2 | 0>(0, 0, -2),
      device: fc.constantFrom('app' as const, 'app' as const, 'counter' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('confirm-recovery' as const),
      browser,
      isRight: fc.boolean(),
      code,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new-password' as const), browser, password }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('unlock', 'use-address', 'use-restore', 'stay', 'use-lost', 'stop-lost'),
      browser,
      link: newest,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('others', 'all'), browser }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('revoke', 'keep', 'keep'), browser, token }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(30, 30, 299, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), who, enabled: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('change', 'reset', 'take-away', 'attack'), who }) },
)

// Every code works once, so the next one is waited for.
function enter(tab: number, name: Name): readonly Action[] {
  return [{ do: 'wait', seconds: 30 }, ...begin(tab, name), { do: 'code', browser: tab, isRight: true }]
}

function begin(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name },
  ]
}

function enroll(tab: number, name: Name): readonly Action[] {
  return [...begin(tab, name), ...enrolling(tab)]
}

function enrolling(tab: number): readonly Action[] {
  const next = { do: 'enroll', browser: tab } as const
  return [next, next, next]
}

function other(tab: number): number {
  return BROWSERS - 1 - tab
}

// Something comes between two steps.
function between(steps: readonly Action[], at: number, ...more: readonly Action[]): readonly Action[] {
  return [...steps.slice(0, at), ...more, ...steps.slice(at)]
}

// What ends the sessions of an account while something is under way.
const ending = fc.constantFrom('change' as const, 'reset' as const, 'take-away' as const)

/** Proofs: what a new one lets in, and what opens nothing any more. */
const proofs: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('make' as const, 'add-key' as const, 'renew' as const))
      .map(([tab, name, what]): readonly Action[] => [...enter(tab, name), { do: what, browser: tab }]),
  },
  {
    // Too late for the proofs of the sign-in.
    weight: 1,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('make' as const, 'add-key' as const, 'renew' as const))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'wait', seconds: 300 },
        { do: what, browser: tab },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('key' as const, 'key-alone' as const), newest)
      .map(([tab, name, what, index]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-key', browser: tab },
        ...begin(tab, name),
        { do: what, browser: tab, key: index },
        { do: 'remove-key', browser: tab, key: index },
        ...begin(tab, name),
        { do: what, browser: tab, key: index },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, skip, skip)
      .map(([tab, name, first, second]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-counter', browser: tab },
        ...begin(tab, name),
        { do: 'count', browser: tab, skip: first },
        ...begin(other(tab), name),
        { do: 'count', browser: other(tab), skip: second },
        { do: 'remove-counter', browser: tab },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, who)
      .map(([tab, name]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-counter', browser: tab },
        ...begin(tab, name),
        { do: 'count', browser: tab, skip: 1 },
        { do: 'remove-counter', browser: tab },
        ...begin(tab, name),
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, code)
      .map(([tab, name, index]): readonly Action[] => [
        ...begin(tab, name),
        { do: 'recover', browser: tab, code: index },
      ]),
  },
  // One recovery code, in one browser and then in another.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, code)
      .map(([tab, name, index]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'renew', browser: tab },
        ...[tab, other(tab)].flatMap((each): readonly Action[] => [
          ...begin(each, name),
          { do: 'recover', browser: each, code: index },
        ]),
      ]),
  },
  // Codes of a factor that went, tried beside the next one.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, fc.constantFrom('add-key' as const, 'add-counter' as const), code)
      .map(([tab, what, old]): readonly Action[] => [
        ...begin(tab, 'bob'),
        { do: what, browser: tab },
        ...(what === 'add-key'
          ? [...begin(tab, 'bob'), { do: 'key' as const, browser: tab, key: 0 }]
          : [{ do: 'wait' as const, seconds: 1 }]),
        { do: 'renew', browser: tab },
        what === 'add-key'
          ? { do: 'remove-key', browser: tab, key: 0 }
          : { do: 'remove-counter', browser: tab },
        ...begin(tab, 'bob'),
        { do: what, browser: tab },
        ...begin(tab, 'bob'),
        { do: 'recover', browser: tab, code: old },
      ]),
  },
)

/** The step-up: what confirms, and what it lets do. */
const stepUps: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom(299, 300), fc.boolean())
      .map(([tab, name, seconds, isRight]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'wait', seconds },
        { do: 'make', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0, device: 'app' },
        { do: 'make', browser: tab },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.boolean())
      .map(([tab, name, isRight]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-key', browser: tab },
        { do: 'wait', seconds: 300 },
        { do: 'confirm-key', browser: tab, key: 0 },
        { do: 'make', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0, device: 'app' },
        { do: 'make', browser: tab },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        browser,
        holder,
        fc.tuple(fc.constantFrom(true, true, false), fc.nat(2)),
        fc.constantFrom(
          'make' as const,
          'delete' as const,
          'new-address' as const,
          'remove-counter' as const,
        ),
      )
      .map(([tab, name, [isRight, index], what]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'renew', browser: tab },
        { do: 'wait', seconds: 300 },
        { do: 'confirm-recovery', browser: tab, isRight, code: index },
        // Not for a recovery code.
        { do: what, browser: tab },
        ...begin(other(tab), name),
        { do: 'recover', browser: other(tab), code: index },
        { do: 'renew', browser: tab },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('make' as const, 'add-key' as const))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-counter', browser: tab },
        { do: 'wait', seconds: 300 },
        { do: 'confirm', browser: tab, isRight: true, step: 0, device: 'counter' },
        { do: what, browser: tab },
      ]),
  },
)

/** What ends sessions, in one browser while another one goes on. */
const ends: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who)
      .map(([tab, name]): readonly Action[] => [{ do: 'take-away', who: name }, ...enroll(tab, name)]),
  },
  // What an enrollment has proven counts for a while, each from when it was typed.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom(0, 30, 299, 300), fc.constantFrom(0, 30, 299, 300))
      .map(([tab, name, before, after]): readonly Action[] => {
        const next = { do: 'enroll', browser: tab } as const
        const make = { do: 'make', browser: tab } as const
        return [
          { do: 'take-away', who: name },
          ...begin(tab, name),
          next,
          { do: 'wait', seconds: before },
          next,
          { do: 'wait', seconds: after },
          next,
          make,
          { do: 'confirm', browser: tab, isRight: true, step: 0, device: 'app' },
          make,
        ]
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(who, ending, fc.nat(3)).map(([name, what, after]): readonly Action[] => {
      const steps = name === 'bob' ? begin(0, name) : enroll(0, name)
      return between(steps, 2 + after, { do: what, who: name })
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(who, fc.constantFrom('others' as const, 'all' as const, 'renew' as const, 'add-key' as const))
      .map(([name, what]): readonly Action[] => [
        ...enter(0, name),
        ...enter(1, name),
        { do: what, browser: 1 },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, ending, token)
      .map(([tab, name, what, index]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'make', browser: tab },
        { do: what, who: name },
        ...enter(tab, name),
        { do: 'keep', browser: tab, token: index },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, password, fc.constantFrom('make' as const, 'renew' as const))
      .map(([tab, name, chosen, what]): readonly Action[] => [
        ...enter(tab, name),
        ...enter(other(tab), name),
        { do: 'new-password', browser: tab, password: chosen },
        { do: what, browser: tab },
        { do: 'logout', browser: other(tab) },
        { do: 'password', browser: other(tab), who: name, typed: 'other password' },
        ...enter(other(tab), name),
      ]),
  },
)

/** The account itself: its address, its end, and the way back to it. */
const lives: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.boolean(), newest)
      .map(([tab, name, isHere, link]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'new-address', browser: tab },
        { do: 'use-address', browser: isHere ? tab : other(tab), link },
        { do: 'use-address', browser: other(tab), link },
        { do: 'logout', browser: other(tab) },
        { do: 'password', browser: other(tab), who: name, typed: 'former address' },
        { do: 'use-restore', browser: other(tab), link: 0 },
        { do: 'use-restore', browser: tab, link: 0 },
      ]),
  },
  // Two changes, and the way back from the first one or the second one.
  {
    weight: 1,
    arbitrary: fc.tuple(browser, who, newest).map(([tab, name, link]): readonly Action[] => [
      ...enter(tab, name),
      ...[0, 1].flatMap((): readonly Action[] => [
        { do: 'new-address', browser: tab },
        { do: 'use-address', browser: tab, link: 0 },
      ]),
      // What whoever changed it has made or begun ends with the way back.
      { do: 'make', browser: tab },
      ...begin(other(tab), name),
      { do: 'use-restore', browser: tab, link },
      { do: 'code', browser: other(tab), isRight: true },
      { do: 'use-restore', browser: tab, link: 1 - link },
    ]),
  },
  // What ends the link before it is used.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, who, ending)
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'new-address', browser: tab },
        { do: what, who: name },
        { do: 'use-address', browser: tab, link: 0 },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        browser,
        who,
        fc.constantFrom('stay' as const, 'sign-in' as const, 'nothing' as const),
        fc.constantFrom(13, 14),
      )
      .map(([tab, name, what, days]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'make', browser: tab },
        { do: 'delete', browser: tab },
        ...(what === 'stay' ? [{ do: 'stay' as const, browser: other(tab), link: 0 }] : []),
        ...(what === 'sign-in' ? enter(other(tab), name) : []),
        { do: 'sleep', days },
        { do: 'erase' },
        ...begin(tab, name),
        { do: 'stay', browser: tab, link: 0 },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom('add-key' as const, 'add-counter' as const, 'renew' as const))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: what, browser: tab },
        ...lost(tab, name),
        { do: 'sleep', days: 3 },
        ...begin(tab, name),
        { do: 'continue', browser: tab },
        ...enrolling(tab),
        // What was lost opens nothing any more.
        ...begin(other(tab), name),
        what === 'add-key'
          ? { do: 'key', browser: other(tab), key: 0 }
          : { do: 'count', browser: other(tab), skip: 1 },
      ]),
  },
  // Something stops it, or makes it wait longer.
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        browser,
        holder,
        fc.nat(7),
        fc.constantFrom('stop' as const, 'sign-in' as const, 'change' as const, 'reset' as const),
      )
      .map(([tab, name, at, what]): readonly Action[] => {
        const steps: readonly Action[] = [
          ...lost(tab, name),
          { do: 'sleep', days: 3 },
          ...begin(tab, name),
          { do: 'continue', browser: tab },
          ...enrolling(tab),
        ]
        const stop: readonly Action[] = [{ do: 'stop-lost', browser: other(tab), link: 0 }]
        const middle = what === 'stop' ? stop : what === 'sign-in' ? enter(other(tab), name) : undefined
        return between(steps, 3 + at, ...(middle ?? [{ do: what as 'change' | 'reset', who: name }]))
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(3, 14))
      .map(([tab, name, days]): readonly Action[] => [
        { do: 'reset', who: name },
        ...lost(tab, name),
        { do: 'stop-lost', browser: tab, link: 1 },
        { do: 'stop-lost', browser: tab, link: 0 },
        ...lost(tab, name),
        { do: 'sleep', days },
        ...begin(tab, name),
        { do: 'continue', browser: tab },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(3, 14))
      .map(([tab, name, days]): readonly Action[] => [
        { do: 'reset', who: name },
        ...lost(tab, name),
        { do: 'sleep', days },
        ...begin(tab, name),
        { do: 'continue', browser: tab },
        ...enrolling(tab),
      ]),
  },
)

function lost(tab: number, name: Name): readonly Action[] {
  return [
    ...begin(tab, name),
    { do: 'lose', browser: tab },
    { do: 'use-lost', browser: other(tab), link: 0 },
    { do: 'continue', browser: tab },
    { do: 'use-lost', browser: tab, link: 0 },
  ]
}

/** A factor that somebody keeps locked, and the link that lifts the lock in one browser. */
const locks: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, fc.boolean(), fc.boolean())
      .map(([tab, name, isHere, isRight]): readonly Action[] => [
        ...locked(tab, name),
        { do: 'code', browser: tab, isRight: true },
        { do: 'unlock', browser: isHere ? tab : other(tab), link: 0 },
        { do: 'unlock', browser: other(tab), link: 0 },
        { do: 'code', browser: tab, isRight },
        ...begin(other(tab), name),
        { do: 'code', browser: other(tab), isRight: true },
      ]),
  },
  // The browser has a few tries, for some minutes.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(4, 5), fc.constantFrom(0, 299))
      .map(([tab, name, wrong, seconds]): readonly Action[] => [
        ...locked(tab, name),
        { do: 'unlock', browser: tab, link: 0 },
        { do: 'logout', browser: tab },
        { do: 'wait', seconds },
        { do: 'wait', seconds },
        { do: 'password', browser: tab, who: name },
        ...Array.from({ length: wrong }, (): Action => ({ do: 'code', browser: tab, isRight: false })),
        ...begin(tab, name),
        { do: 'code', browser: tab, isRight: true },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder)
      .map(([tab, name]): readonly Action[] => [
        ...locked(tab, name),
        { do: 'unlock', browser: tab, link: 0 },
        { do: 'logout', browser: tab },
        { do: 'wait', seconds: 300 },
        { do: 'wait', seconds: 300 },
        ...begin(tab, name),
        { do: 'code', browser: tab, isRight: true },
      ]),
  },
)

// The wrong code that is one too many brings the mail with the link.
function locked(tab: number, name: Name): readonly Action[] {
  return [{ do: 'attack', who: name }, ...begin(tab, name), { do: 'code', browser: tab, isRight: false }]
}

/** Several steps with an aim: blind single steps hardly ever get that far. */
export const habit: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 5, arbitrary: single.map((one) => [one]) },
  { weight: 12, arbitrary: proofs },
  { weight: 7, arbitrary: stepUps },
  { weight: 9, arbitrary: ends },
  { weight: 10, arbitrary: lives },
  { weight: 4, arbitrary: locks },
)
