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

/** What a step or a habit is about, each by chance. */
const given = fc.record({
  tab: fc.nat(BROWSERS - 1),
  // Mostly the same account: or limits are never reached.
  who: fc.constantFrom<Name>('ada', 'ada', 'ada', 'bob', 'eve'),
  isRight: fc.constantFrom(true, true, false),
  device: fc.constantFrom<Device>('app', 'app', 'spare'),
  // A step that is over, the one before the present, the present one, and one to come.
  step: fc.constantFrom(-2, -1, 0, 0, 0, 1),
  second: fc.constantFrom(-2, -1, 0, 0, 0, 1),
  // Of recovery codes, by their age.
  code: fc.nat(11),
  password: fc.constantFrom(0, 1, 1, 2),
  times: fc.nat(6),
  behind: fc.constantFrom(...(['look', 'renew', 'add-spare', 'remove-spare'] as const)),
  leaving: fc.constantFrom(...(['page', 'cancel', 'logout'] as const)),
  event: fc.constantFrom(...(['change', 'reset', 'attack'] as const)),
  seconds: fc.constantFrom(1, 29, 30, 30, 299, 300, 899, 900),
  // In time for the proofs of a sign-in, and too late.
  later: fc.constantFrom(0, 299, 300),
  // What a clock that is set does, both ways: the last digit of a second up to years.
  jump: fc
    .constantFrom(1, 10, 30, 90, 300, 900, 3600, 86_400, 31_536_000)
    .chain((by) => fc.constantFrom(by, -by)),
})
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never
type Habit = (about: Given) => readonly Action[]

const SINGLE: readonly (readonly [weight: number, step: Habit])[] = [
  [4, ({ tab, who, isRight }) => [{ do: 'password', browser: tab, who, isRight }]],
  [4, ({ tab, isRight, step, device }) => [{ do: 'code', browser: tab, isRight, step, device }]],
  [3, ({ tab, leaving }) => [{ do: leaving, browser: tab }]],
  [4, ({ tab, behind }) => [{ do: behind, browser: tab }]],
  [2, ({ tab, isRight, step, device }) => [{ do: 'confirm', browser: tab, isRight, step, device }]],
  [1, ({ tab, code }) => [{ do: 'recover', browser: tab, code }]],
  [1, ({ tab, isRight, code }) => [{ do: 'confirm-recovery', browser: tab, isRight, code }]],
  [1, ({ tab, password }) => [{ do: 'new-password', browser: tab, password }]],
  [3, ({ seconds }) => [wait(seconds)]],
  [2, ({ jump }) => [{ do: 'jump', seconds: jump }]],
  [2, ({ event, who }) => [{ do: event, who }]],
]

// Several steps with an aim: blind single steps hardly ever get that far.
const HABITS: readonly Habit[] = [
  // What is behind the doors, in time and too late for the proofs of the sign-in.
  ({ tab, who, behind, later }) => [...enter(tab, who), wait(later), { do: behind, browser: tab }],
  ({ tab, who, isRight, device }) => [
    ...enter(tab, who),
    wait(300),
    { do: 'confirm', browser: tab, isRight, device },
    { do: 'look', browser: tab },
  ],
  // Guesses, of codes and of passwords.
  ({ tab, who, times }) => [
    ...begin(tab, who),
    ...repeat(times, { do: 'code', browser: tab, isRight: false }),
  ],
  ({ tab, who, times }) => [
    { do: 'logout', browser: tab },
    ...repeat(times, { do: 'password', browser: tab, who, isRight: false }),
  ],
  ({ tab, who, later }) => [
    { do: 'attack', who },
    ...begin(tab, who),
    { do: 'code', browser: tab, isRight: false },
    wait(3 * later),
    ...enter(tab, who),
  ],
  // A second app, in two browsers, up to its removal.
  ({ tab, who, step, second }) => [
    ...enter(tab, who),
    { do: 'add-spare', browser: tab },
    wait(30),
    ...begin(tab, who),
    { do: 'code', browser: tab, isRight: true, step, device: 'spare' },
    ...begin(other(tab), who),
    { do: 'code', browser: other(tab), isRight: true, step: second, device: 'spare' },
    { do: 'remove-spare', browser: tab },
    ...begin(tab, who),
  ],
  // One recovery code, in one browser and then in another; it lets nobody remove what is left.
  ({ tab, who, code }) => [
    ...enter(tab, who),
    { do: 'renew', browser: tab },
    ...[tab, other(tab)].flatMap((each): readonly Action[] => [
      ...begin(each, who),
      { do: 'recover', browser: each, code },
      { do: 'look', browser: each },
    ]),
  ],
  ({ tab, who, isRight, code }) => [
    ...enter(tab, who),
    { do: 'renew', browser: tab },
    wait(300),
    { do: 'confirm-recovery', browser: tab, isRight, code },
    { do: 'look', browser: tab },
    { do: 'renew', browser: tab },
  ],
  // What ends sessions and sign-ins in one browser, while another one goes on.
  ({ who, behind }) => [...enter(0, who), ...enter(1, who), { do: behind, browser: 1 }],
  ({ who, event, times }) => enter(0, who).toSpliced(times, 0, { do: event, who }),
  ({ tab, who, password }) => [
    ...enter(tab, who),
    ...begin(other(tab), who),
    { do: 'new-password', browser: tab, password },
    { do: 'look', browser: tab },
    { do: 'code', browser: other(tab), isRight: true },
    { do: 'password', browser: other(tab), who, isRight: false },
    ...enter(other(tab), who),
  ],
  ({ who }) => [
    { do: 'enable', who, enabled: false },
    { do: 'password', browser: 0, who: 'eve', isRight: true },
    { do: 'code', browser: 1, isRight: true },
    { do: 'enable', who, enabled: true },
  ],
]

const weighed = [...SINGLE, ...HABITS.map((habit) => [5, habit] as const)]

/** What happens to the accounts of an installation. */
export const sequence: fc.Arbitrary<readonly (readonly Action[])[]> = fc.array(
  fc.oneof(...weighed.map(([weight, habit]) => ({ weight, arbitrary: given.map(habit) }))),
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

function wait(seconds: number): Action {
  return { do: 'wait', seconds }
}

// A sign-in up to the password.
function begin(tab: number, who: Name): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who, isRight: true },
  ]
}

// Every code works once, so the next one is waited for.
function enter(tab: number, who: Name): readonly Action[] {
  return [wait(30), ...begin(tab, who), { do: 'code', browser: tab, isRight: true }]
}

function repeat(times: number, action: Action): readonly Action[] {
  return Array.from({ length: times }, () => action)
}

function other(tab: number): number {
  return BROWSERS - 1 - tab
}
