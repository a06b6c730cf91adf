/** The steps of a walk, and what they are made of. @module */
import fc from 'fast-check'
import { missing } from '../facts-of-parts.ts'
import type { Device } from './model-state.ts'

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
  | In<'code', { readonly isRight: boolean; readonly step?: number; readonly device?: Device }>
  | In<'logout' | 'look' | 'others' | 'all' | 'add-key' | 'renew' | 'enroll' | 'leave'>
  | In<'add-spare' | 'remove-spare' | 'new-address' | 'lose' | 'continue'>
  | In<'recover', { readonly code: number }>
  | In<'key', { readonly key: number }>
  | In<'key-alone' | 'remove-key' | 'confirm-key', { readonly key: number }>
  | In<'confirm', { readonly isRight: boolean; readonly step: -2 | 0; readonly device: Device }>
  | In<'confirm-recovery', { readonly isRight: boolean; readonly code: number }>
  | In<'new-password', { readonly password: 0 | 1 | 2 }>
  | In<'unlock' | 'use-address' | 'use-restore' | 'use-lost' | 'stop-lost', { readonly link: number }>

/** One step. */
export type Action =
  | Act
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'sleep'; readonly days: number }
  | { readonly do: 'enable'; readonly who: Name; readonly enabled: boolean }
  | { readonly do: 'change' | 'reset' | 'take-away' | 'attack'; readonly who: Name }

// Steps that parts make possible. Factors that were taken away lead to a lost factor where the password is a mailed one.
const STEPS_OF_PARTS: readonly (readonly [steps: RegExp, parts: readonly string[]])[] = [
  [/^(key|key-alone|add-key|remove-key|confirm-key)$/, ['passkeys']],
  [/^(new-address|use-address|use-restore)$/, ['address-change']],
  [/^(lose|continue|use-lost|stop-lost)$/, ['lost-factor']],
  [/^unlock$/, ['unlock']],
  [/^(others|all)$/, ['sessions']],
  [/^take-away$/, ['administration', 'lost-factor']],
]
const ABSENT = STEPS_OF_PARTS.filter(([, parts]) => missing(...parts) !== false)

/** Whether a step needs a part that is not there: a walk leaves it out. */
export function isAbsent(step: { readonly do: string }): boolean {
  return ABSENT.some(([steps]) => steps.test(step.do))
}

/** A browser. */
export const browser: fc.Arbitrary<number> = fc.nat(BROWSERS - 1)
/** An account, mostly the same: or limits are never reached. */
export const who: fc.Arbitrary<Name> = fc.constantFrom('ada', 'ada', 'ada', 'bob', 'eve')
/** An account that has an app from the beginning. */
export const holder: fc.Arbitrary<Name> = fc.constantFrom('ada', 'ada', 'eve')
/** The newest one, or the one before it. */
export const newest: fc.Arbitrary<number> = fc.constantFrom(0, 0, 0, 1)
/** A recovery code, by its age. */
export const code: fc.Arbitrary<number> = fc.nat(11)
/** A new password. */
export const password: fc.Arbitrary<0 | 1 | 2> = fc.constantFrom(0, 1, 1, 2)
/** A step that is over, the one before the present, the present one, and one to come. */
export const step: fc.Arbitrary<number> = fc.constantFrom(-2, -1, 0, 0, 1)

/** A sign-in. Every code works once, so the next one is waited for. */
export function enter(tab: number, name: Name): readonly Action[] {
  return [{ do: 'wait', seconds: 30 }, ...begin(tab, name), { do: 'code', browser: tab, isRight: true }]
}

/** A sign-in up to the password. */
export function begin(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'logout', browser: tab },
    { do: 'password', browser: tab, who: name },
  ]
}

/** A sign-in that leads to the set-up of an app. */
export function enroll(tab: number, name: Name): readonly Action[] {
  return [...begin(tab, name), ...enrolling(tab)]
}

/** The three steps of a set-up. */
export function enrolling(tab: number): readonly Action[] {
  const next = { do: 'enroll', browser: tab } as const
  return [next, next, next]
}

/** A lost factor, up to the waiting time. */
export function lost(tab: number, name: Name): readonly Action[] {
  return [
    ...begin(tab, name),
    { do: 'lose', browser: tab },
    { do: 'use-lost', browser: other(tab), link: 0 },
    { do: 'continue', browser: tab },
    { do: 'use-lost', browser: tab, link: 0 },
  ]
}

/** The other browser. */
export function other(tab: number): number {
  return BROWSERS - 1 - tab
}

/** Something comes between two steps. */
export function between(steps: readonly Action[], at: number, ...more: readonly Action[]): readonly Action[] {
  return [...steps.slice(0, at), ...more, ...steps.slice(at)]
}

/** What ends the sessions of an account while something is under way. */
export const ending: fc.Arbitrary<'change' | 'reset' | 'take-away'> = fc.constantFrom(
  'change',
  'reset',
  'take-away',
)
