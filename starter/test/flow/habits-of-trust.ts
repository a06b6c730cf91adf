/** Habits about trusted browsers: what skips the second step, and what ends that. @module */
import fc from 'fast-check'
import {
  type Action,
  begin,
  browser,
  code,
  ending,
  enroll,
  enrolling,
  enter,
  holder,
  lost,
  type Name,
  other,
  who,
} from './account-actions.ts'

const two = fc.constantFrom<readonly [Name, Name]>(['ada', 'eve'], ['eve', 'ada'])
const wanted = fc.constantFrom(true, true, false)
// The last second in which it may be a second tab, and the first one in which it is a theft.
const later = fc.constantFrom(0, 59, 60, 60)

// How the second step is proven by whoever shows an old token; not at all, too.
const PROOFS = ['none', 'code', 'code', 'trust', 'recover'] as const

/** A browser that is trusted, and what becomes of it. */
export const trusts: fc.Arbitrary<readonly Action[]> = fc.oneof(
  // It proves no factor, and the box counts at the doors for factors only.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, code, fc.constantFrom(30, 300))
      .map(([tab, name, index, seconds]): readonly Action[] => [
        ...trust(tab, name),
        { do: 'look', browser: tab },
        { do: 'wait', seconds },
        ...begin(tab, name),
        { do: 'look', browser: tab },
        { do: 'confirm', browser: tab, isRight: true, step: 0, device: 'app' },
        { do: 'look', browser: tab },
        ...begin(other(tab), name),
        { do: 'recover', browser: other(tab), code: index },
        ...begin(tab, name),
      ]),
  },
  // By what else opens the door.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('add-key' as const, 'add-counter' as const))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: what, browser: tab },
        ...begin(tab, name),
        what === 'add-key'
          ? { do: 'key', browser: tab, key: 0, trust: true }
          : { do: 'count', browser: tab, skip: 1, trust: true },
        ...begin(tab, name),
        ...begin(tab, name),
      ]),
  },
  // A token that was used comes back, in the other browser: with the second step, or without; and the first one goes on before it.
  {
    weight: 6,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(0, 1, 1), later, fc.constantFrom(...PROOFS), wanted, code)
      .map(([tab, name, cookie, seconds, proof, isLast, index]): readonly Action[] => [
        ...(proof === 'recover' ? [...enter(tab, name), { do: 'renew', browser: tab } as const] : []),
        ...trust(tab, name),
        ...begin(tab, name),
        { do: 'steal', browser: other(tab), cookie },
        { do: 'wait', seconds },
        ...begin(other(tab), name),
        ...(isLast ? [] : begin(tab, name)),
        ...proven(other(tab), proof, index),
        ...begin(tab, name),
        ...begin(other(tab), name),
        ...begin(tab, name),
      ]),
  },
  // Two accounts in one browser.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, two, wanted)
      .map(([tab, [first, second], isWanted]): readonly Action[] => [
        ...trust(tab, first),
        { do: 'steal', browser: other(tab), cookie: 0 },
        ...(isWanted ? trust(tab, second) : enter(tab, second)),
        ...begin(tab, first),
        ...begin(tab, second),
        ...begin(other(tab), first),
      ]),
  },
  // What somebody else does with the account.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, ending)
      .map(([tab, name, what]): readonly Action[] => [
        ...trust(tab, name),
        { do: what, who: name },
        ...(what === 'take-away' ? enroll(tab, name) : begin(tab, name)),
        ...begin(tab, name),
      ]),
  },
  // What the owner does, in the same browser or in the other one.
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        browser,
        holder,
        fc.boolean(),
        fc.constantFrom('all', 'others', 'add-key', 'add-counter', 'renew', 'delete', 'logout'),
      )
      .map(([tab, name, isHere, what]): readonly Action[] => [
        ...trust(tab, name),
        ...(isHere ? [] : enter(other(tab), name)),
        { do: what, browser: isHere ? tab : other(tab) },
        ...begin(tab, name),
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom('new-password', 'new-address', 'restore'))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        ...(what === 'restore' ? moved(tab) : []),
        ...trust(other(tab), name),
        ...(what === 'new-password' ? [{ do: what, browser: tab, password: 1 } as const] : []),
        ...(what === 'new-address' ? moved(tab) : []),
        ...(what === 'restore' ? [{ do: 'use-restore', browser: tab, link: 0 } as const] : []),
        ...begin(other(tab), name),
      ]),
  },
  // A recovery code ends it, also where it only confirms something.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.nat(2), fc.boolean())
      .map(([tab, name, index, isAtDoor]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'renew', browser: tab },
        ...trust(other(tab), name),
        ...(isAtDoor
          ? [...begin(tab, name), { do: 'recover', browser: tab, code: index } as const]
          : [
              { do: 'wait', seconds: 300 } as const,
              { do: 'confirm-recovery', browser: tab, isRight: true, code: index } as const,
            ]),
        ...begin(other(tab), name),
      ]),
  },
  // The owner removes it.
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        browser,
        holder,
        fc.boolean(),
        fc.constantFrom('distrust' as const, 'distrust' as const, 'distrust-all' as const),
      )
      .map(([tab, name, isHere, what]): readonly Action[] => [
        ...trust(other(tab), name),
        ...trust(tab, name),
        { do: what, browser: tab, cookie: isHere ? 0 : 1 },
        { do: what, browser: tab, cookie: isHere ? 0 : 1 },
        ...begin(tab, name),
        ...begin(other(tab), name),
      ]),
  },
  // Nobody else removes it.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, two, fc.constantFrom('distrust' as const, 'distrust-all' as const))
      .map(([tab, [name, stranger], what]): readonly Action[] => [
        ...trust(other(tab), name),
        ...enter(tab, stranger),
        { do: what, browser: tab, cookie: 0 },
        ...begin(other(tab), name),
      ]),
  },
  // Its days end, whether or not it is used.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(29, 30))
      .map(([tab, name, days]): readonly Action[] => [
        ...trust(tab, name),
        { do: 'sleep', days },
        ...begin(tab, name),
        { do: 'sleep', days: 1 },
        ...begin(tab, name),
      ]),
  },
  // It is not what is said to be lost, so it stops no recovery.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder)
      .map(([tab, name]): readonly Action[] => [
        ...trust(tab, name),
        ...lost(other(tab), name),
        ...begin(tab, name),
        { do: 'sleep', days: 3 },
        ...begin(other(tab), name),
        { do: 'continue', browser: other(tab) },
        ...enrolling(other(tab)),
        ...begin(tab, name),
      ]),
  },
  // A rule about factors, before or after, and the box behind it.
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, holder, fc.boolean())
      .map(([tab, name, isLate]): readonly Action[] => [
        ...trust(tab, name),
        { do: 'bind', who: name, isBound: true },
        ...(isLate ? [] : begin(tab, name)),
        ...trust(tab, name),
        ...begin(tab, name),
        { do: 'bind', who: name, isBound: false },
        ...begin(tab, name),
      ]),
  },
  // Somebody guesses: until the lock ends, the second door stands.
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, holder, fc.constantFrom(899, 900), fc.boolean())
      .map(([tab, name, seconds, isUnlocked]): readonly Action[] => [
        ...trust(tab, name),
        { do: 'attack', who: name },
        ...begin(other(tab), name),
        { do: 'code', browser: other(tab), isRight: false },
        ...(isUnlocked ? [{ do: 'unlock', browser: tab, link: 0 } as const] : []),
        ...begin(tab, name),
        { do: 'wait', seconds },
        ...begin(tab, name),
      ]),
  },
)

// A sign-in with the box ticked.
function trust(tab: number, name: Name): readonly Action[] {
  return [
    { do: 'wait', seconds: 30 },
    ...begin(tab, name),
    { do: 'code', browser: tab, isRight: true, trust: true },
  ]
}

function proven(tab: number, proof: (typeof PROOFS)[number], code: number): readonly Action[] {
  if (proof === 'none') return []
  if (proof === 'recover') return [{ do: 'recover', browser: tab, code }]
  return [
    { do: 'wait', seconds: 30 },
    { do: 'code', browser: tab, isRight: true, ...(proof === 'trust' && { trust: true }) },
  ]
}

function moved(tab: number): readonly Action[] {
  return [
    { do: 'new-address', browser: tab },
    { do: 'use-address', browser: tab, link: 0 },
  ]
}
