/** Habits about proofs, the step-up and locks. @module */
import fc from 'fast-check'
import {
  type Action,
  begin,
  browser,
  code,
  enter,
  holder,
  type Name,
  newest,
  other,
  step,
  who,
} from './account-actions.ts'

/** Proofs: what a new one lets in, and what opens nothing any more. */
export const proofs: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('look' as const, 'add-key' as const, 'renew' as const))
      .map(([tab, name, what]): readonly Action[] => [...enter(tab, name), { do: what, browser: tab }]),
  },
  {
    // Too late for the proofs of the sign-in.
    weight: 1,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom('look' as const, 'add-key' as const, 'renew' as const))
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
      .tuple(browser, who, step, step)
      .map(([tab, name, first, second]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-spare', browser: tab },
        { do: 'wait', seconds: 30 },
        ...begin(tab, name),
        { do: 'code', browser: tab, isRight: true, step: first, device: 'spare' },
        ...begin(other(tab), name),
        { do: 'code', browser: other(tab), isRight: true, step: second, device: 'spare' },
        { do: 'remove-spare', browser: tab },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(browser, who)
      .map(([tab, name]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-spare', browser: tab },
        { do: 'wait', seconds: 30 },
        ...begin(tab, name),
        { do: 'code', browser: tab, isRight: true, device: 'spare' },
        { do: 'remove-spare', browser: tab },
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
      .tuple(browser, fc.constantFrom('add-key' as const, 'add-spare' as const), code)
      .map(([tab, what, old]): readonly Action[] => [
        ...begin(tab, 'bob'),
        { do: what, browser: tab },
        ...(what === 'add-key'
          ? [...begin(tab, 'bob'), { do: 'key' as const, browser: tab, key: 0 }]
          : [{ do: 'wait' as const, seconds: 1 }]),
        { do: 'renew', browser: tab },
        what === 'add-key'
          ? { do: 'remove-key', browser: tab, key: 0 }
          : { do: 'remove-spare', browser: tab },
        ...begin(tab, 'bob'),
        { do: what, browser: tab },
        ...begin(tab, 'bob'),
        { do: 'recover', browser: tab, code: old },
      ]),
  },
)

/** The step-up: what confirms, and what it lets do. */
export const stepUps: fc.Arbitrary<readonly Action[]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(browser, who, fc.constantFrom(299, 300), fc.boolean())
      .map(([tab, name, seconds, isRight]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'wait', seconds },
        { do: 'look', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0, device: 'app' },
        { do: 'look', browser: tab },
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
        { do: 'look', browser: tab },
        { do: 'confirm', browser: tab, isRight, step: 0, device: 'app' },
        { do: 'look', browser: tab },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        browser,
        holder,
        fc.tuple(fc.constantFrom(true, true, false), fc.nat(2)),
        fc.constantFrom('look' as const, 'new-address' as const, 'remove-spare' as const),
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
      .tuple(browser, who, fc.constantFrom('look' as const, 'add-key' as const))
      .map(([tab, name, what]): readonly Action[] => [
        ...enter(tab, name),
        { do: 'add-spare', browser: tab },
        { do: 'wait', seconds: 300 },
        { do: 'confirm', browser: tab, isRight: true, step: 0, device: 'spare' },
        { do: what, browser: tab },
      ]),
  },
)

/** A factor that somebody keeps locked, and the link that lifts the lock in one browser. */
export const locks: fc.Arbitrary<readonly Action[]> = fc.oneof(
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
