/** What people, administrators and attackers do with accounts, by chance. @module */
import fc from 'fast-check'

/** How many browsers there are. */
export const BROWSERS = 2
/** The accounts. */
export const NAMES = ['ada', 'bob', 'eve'] as const
/** An account. */
export type Name = (typeof NAMES)[number]

// One member for each name, so that a comparison with a name narrows.
type In<Do extends string, Given = unknown> = Do extends string
  ? { readonly do: Do; readonly browser: number } & Given
  : never

/** A step in a browser. */
export type Act =
  | In<'password', { readonly who: Name }>
  | In<'code' | 'logout' | 'make' | 'look' | 'others' | 'all' | 'add-key' | 'renew' | 'enroll' | 'leave'>
  | In<'recover', { readonly code: number }>
  | In<'key' | 'key-alone' | 'remove-key', { readonly key: number }>
  | In<'confirm', { readonly isRight: boolean; readonly step: -2 | 0 }>
  | In<'revoke' | 'keep', { readonly token: number }>

/** One step. */
export type Action =
  | Act
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change' | 'reset' | 'take-away'; readonly who: Name }

const browser = fc.nat(BROWSERS - 1)
const who = fc.constantFrom<Name>('ada', 'ada', 'ada', 'bob', 'eve')
const token = fc.nat(2)
const key = fc.nat(1)
const code = fc.nat(11)

const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('password' as const), browser, who }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('code', 'make', 'look', 'logout', 'add-key', 'renew', 'enroll', 'enroll', 'leave'),
      browser,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recover' as const), browser, code }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('key', 'key-alone', 'remove-key'), browser, key }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('confirm' as const),
      browser,
      isRight: fc.constantFrom(true, true, false),
      step: fc.constantFrom<-2 | 0>(0, 0, -2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('others', 'all'), browser }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('revoke', 'keep', 'keep'), browser, token }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(30, 30, 299, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), who, enabled: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('change', 'reset', 'take-away'), who }) },
)

// Every code works once, so the next one is waited for.
function enter(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'wait', seconds: 30 },
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name },
    { do: 'code', browser: tab },
  ]
}

function begin(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name },
  ]
}

function enroll(tab: number, name: Name): readonly Action[] {
  const next = { do: 'enroll', browser: tab } as const
  return [...begin(tab, name), next, next, next]
}

// What ends the sessions of an account while something is under way.
const ending = fc.constantFrom('change' as const, 'reset' as const, 'take-away' as const)

/** Several steps with an aim: blind single steps hardly ever get that far. */
export const habit: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 5, arbitrary: single.map((one) => [one]) },
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
      .tuple(browser, who, fc.constantFrom('key' as const, 'key-alone' as const), key)
      .map(([tab, name, what, index]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-key', browser: tab },
        ...begin(tab, name),
        { do: what, browser: tab, key: index },
        { do: 'remove-key', browser: tab, key: index },
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
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who)
      .map(([tab, name]): readonly Action[] => [{ do: 'take-away', who: name }, ...enroll(tab, name)]),
  },
  // One recovery code, in one browser and then in another.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, code)
      .map(([tab, name, index]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'renew', browser: tab },
        ...[tab, BROWSERS - 1 - tab].flatMap((each): readonly Action[] => [
          ...begin(each, name),
          { do: 'recover', browser: each, code: index },
        ]),
      ]),
  },
  // Codes of a factor that went, tried beside the next one.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, key, code)
      .map(([tab, index, old]): readonly Action[] => [
        ...begin(tab, 'bob'),
        { do: 'add-key', browser: tab },
        ...begin(tab, 'bob'),
        { do: 'key', browser: tab, key: index },
        { do: 'renew', browser: tab },
        { do: 'remove-key', browser: tab, key: index },
        ...begin(tab, 'bob'),
        { do: 'add-key', browser: tab },
        ...begin(tab, 'bob'),
        { do: 'recover', browser: tab, code: old },
      ]),
  },
  // Something ends what another browser, or this one, is in the middle of.
  {
    weight: 2,
    arbitrary: fc.tuple(who, ending, fc.nat(3)).map(([name, what, after]): readonly Action[] => {
      const steps = name === 'bob' ? begin(0, name) : enroll(0, name)
      return [...steps.slice(0, 2 + after), { do: what, who: name }, ...steps.slice(2 + after)]
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
      .tuple(browser, who, fc.constantFrom(299, 300), fc.boolean())
      .map(([tab, name, seconds, isRight]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'wait', seconds },
        { do: 'make', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0 },
        { do: 'make', browser: tab },
      ]),
  },
)
