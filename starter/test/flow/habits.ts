/** What people and attackers do at the doors of an application and behind them, by chance. @module */
import fc from 'fast-check'
import type { Device } from './model.ts'

/** How many browsers there are. */
export const BROWSERS = 2
/** The accounts: bob's has no app at first. */
export type Name = 'ada' | 'bob' | 'eve'
/** Wrong codes of an attack: one more locks an app. */
export const ATTACK = 6

// One member for each name, so that a comparison with a name narrows.
type In<Do extends string, Given = unknown> = Do extends string
  ? { readonly do: Do; readonly browser: number } & Given
  : never

/** A step in a browser. */
export type Act =
  | In<'password', { readonly who: Name; readonly isRight: boolean }>
  | In<'code', { readonly isRight: boolean; readonly step?: number; readonly device?: Device }>
  | In<'confirm', { readonly isRight: boolean; readonly step?: number; readonly device?: Device }>
  | In<'page' | 'cancel' | 'logout' | 'look' | 'renew' | 'add-spare' | 'remove-spare'>
  | In<'recover', { readonly code: number }>
  | In<'confirm-recovery', { readonly isRight: boolean; readonly code: number }>
  | In<'new-password', { readonly password: number }>

/** What happens to an account, in no browser. */
export type Event =
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change' | 'reset' | 'attack'; readonly who: Name }

/** One step. */
export type Action =
  | Act
  | Event
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'jump'; readonly seconds: number }

type Habit = fc.Arbitrary<readonly Action[]>

const browser = fc.nat(BROWSERS - 1)
// Mostly the same account: or limits are never reached.
const who = fc.constantFrom<Name>('ada', 'ada', 'ada', 'bob', 'eve')
const isRight = fc.constantFrom(true, true, false)
const device = fc.constantFrom<Device>('app', 'app', 'spare')
// A step that is over, the one before the present, the present one, and one to come.
const step = fc.constantFrom(-2, -1, 0, 0, 0, 1)
// Of recovery codes, by their age.
const code = fc.nat(11)
const password = fc.constantFrom(0, 1, 1, 2)
const seconds = fc.constantFrom(1, 29, 30, 30, 299, 300, 899, 900)
// What a clock that is set does, both ways: the last digit of a second up to years.
const jump = fc
  .constantFrom(1, 10, 30, 90, 300, 900, 3600, 86_400, 31_536_000)
  .chain((by) => fc.constantFrom(by, -by))
const behind = fc.constantFrom(
  'look' as const,
  'renew' as const,
  'add-spare' as const,
  'remove-spare' as const,
)
const ending = fc.constantFrom('change' as const, 'reset' as const)

const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('password' as const), browser, who, isRight }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('code' as const), browser, isRight, step, device }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('page', 'cancel', 'logout'), browser }) },
  { weight: 4, arbitrary: fc.record({ do: behind, browser }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('confirm' as const), browser, isRight, step, device }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recover' as const), browser, code }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('confirm-recovery' as const), browser, isRight, code }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new-password' as const), browser, password }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('jump' as const), seconds: jump }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('change', 'reset', 'attack'), who }) },
)

// Several steps with an aim: blind single steps hardly ever get that far.
const HABITS: readonly Habit[] = [
  // What is behind the doors, in time and too late for the proofs of the sign-in.
  fc
    .tuple(browser, who, behind, fc.constantFrom(0, 299, 300))
    .map(([tab, name, what, later]) => [
      ...enter(tab, name),
      { do: 'wait', seconds: later },
      { do: what, browser: tab },
    ]),
  fc
    .tuple(browser, who, isRight, device)
    .map(([tab, name, right, of]) => [
      ...enter(tab, name),
      { do: 'wait', seconds: 300 },
      { do: 'confirm', browser: tab, isRight: right, device: of },
      { do: 'look', browser: tab },
    ]),
  // Guesses, of codes and of passwords.
  fc
    .tuple(browser, who, fc.integer({ min: 2, max: 5 }))
    .map(([tab, name, times]) => [
      ...begin(tab, name),
      ...repeat(times, { do: 'code', browser: tab, isRight: false }),
    ]),
  fc
    .tuple(browser, who, fc.nat(6))
    .map(([tab, name, times]) => [
      { do: 'logout', browser: tab },
      ...repeat(times, { do: 'password', browser: tab, who: name, isRight: false }),
    ]),
  fc
    .tuple(browser, who, fc.constantFrom(0, 899, 900))
    .map(([tab, name, later]) => [
      { do: 'attack', who: name },
      ...begin(tab, name),
      { do: 'code', browser: tab, isRight: false },
      { do: 'wait', seconds: later },
      ...enter(tab, name),
    ]),
  // A second app, in two browsers, up to its removal.
  fc
    .tuple(browser, who, step, step)
    .map(([tab, name, first, second]) => [
      ...enter(tab, name),
      { do: 'add-spare', browser: tab },
      { do: 'wait', seconds: 30 },
      ...begin(tab, name),
      { do: 'code', browser: tab, isRight: true, step: first, device: 'spare' },
      ...begin(other(tab), name),
      { do: 'code', browser: other(tab), isRight: true, step: second, device: 'spare' },
      { do: 'remove-spare', browser: tab },
      ...begin(tab, name),
    ]),
  // One recovery code, in one browser and then in another; it lets nobody remove what is left.
  fc
    .tuple(browser, who, code)
    .map(([tab, name, age]) => [
      ...enter(tab, name),
      { do: 'renew', browser: tab },
      ...[tab, other(tab)].flatMap((each): readonly Action[] => [
        ...begin(each, name),
        { do: 'recover', browser: each, code: age },
        { do: 'look', browser: each },
      ]),
    ]),
  fc
    .tuple(browser, who, isRight, code)
    .map(([tab, name, right, age]) => [
      ...enter(tab, name),
      { do: 'renew', browser: tab },
      { do: 'wait', seconds: 300 },
      { do: 'confirm-recovery', browser: tab, isRight: right, code: age },
      { do: 'look', browser: tab },
      { do: 'renew', browser: tab },
    ]),
  // What ends sessions and sign-ins in one browser, while another one goes on.
  fc
    .tuple(who, behind)
    .map(([name, what]) => [...enter(0, name), ...enter(1, name), { do: what, browser: 1 }]),
  fc
    .tuple(who, ending, fc.nat(3))
    .map(([name, what, at]) => between(enter(0, name), at, { do: what, who: name })),
  fc
    .tuple(browser, who, password)
    .map(([tab, name, chosen]) => [
      ...enter(tab, name),
      ...begin(other(tab), name),
      { do: 'new-password', browser: tab, password: chosen },
      { do: 'look', browser: tab },
      { do: 'code', browser: other(tab), isRight: true },
      { do: 'password', browser: other(tab), who: name, isRight: false },
      ...enter(other(tab), name),
    ]),
  who.map((name) => [
    { do: 'enable', who: name, enabled: false },
    { do: 'password', browser: 0, who: 'eve', isRight: true },
    { do: 'code', browser: 1, isRight: true },
    { do: 'enable', who: name, enabled: true },
  ]),
]

/** What happens to the accounts of an installation. */
export const sequence: fc.Arbitrary<readonly (readonly Action[])[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: single.map((one) => [one]) },
    { weight: 2, arbitrary: fc.oneof(...HABITS) },
  ),
  { minLength: 2, maxLength: 12, size: 'max' },
)

/** Outcomes that at least one habit aims at: never those that need luck. */
export const AIMS: readonly string[] = [
  'password /account',
  'password /login/2fa',
  'password 422',
  'code /account',
  'code 422',
  'code 429',
  'recover /account',
  'recover 422',
  'add-spare 200',
  'add-spare /account/security',
  'remove-spare /account/security',
  'renew 200',
  'confirm /account/security/factors/none/rename',
  'confirm 422',
  'confirm-recovery /account/recovery-codes',
  'confirm-recovery 422',
  'look /account/security',
  'look /account/confirm',
  'new-password /account/security',
  'new-password 422',
]

// A sign-in up to the password.
function begin(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name, isRight: true },
  ]
}

// Every code works once, so the next one is waited for.
function enter(tab: number, name: Name): readonly Action[] {
  return [{ do: 'wait', seconds: 30 }, ...begin(tab, name), { do: 'code', browser: tab, isRight: true }]
}

function repeat(times: number, action: Action): readonly Action[] {
  return Array.from({ length: times }, () => action)
}

function other(tab: number): number {
  return BROWSERS - 1 - tab
}

function between(steps: readonly Action[], at: number, ...more: readonly Action[]): readonly Action[] {
  return [...steps.slice(0, at), ...more, ...steps.slice(at)]
}
