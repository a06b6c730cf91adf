/** Habits about the account itself: what ends its sessions, its address, lost factors. @module */
import fc from 'fast-check'
import {
  type Action,
  begin,
  between,
  browser,
  ending,
  enroll,
  enrolling,
  enter,
  holder,
  lost,
  newest,
  other,
  password,
  who,
} from './account-actions.ts'

/** What ends sessions, in one browser while another one goes on. */
export const ends: fc.Arbitrary<readonly Action[]> = fc.oneof(
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
        const look = { do: 'look', browser: tab } as const
        return [
          { do: 'take-away', who: name },
          ...begin(tab, name),
          next,
          { do: 'wait', seconds: before },
          next,
          { do: 'wait', seconds: after },
          next,
          look,
          { do: 'confirm', browser: tab, isRight: true, step: 0, device: 'app' },
          look,
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
      .tuple(browser, who, password, fc.constantFrom('look' as const, 'renew' as const))
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

/** The account itself: its address, and the way back to it. */
export const lives: fc.Arbitrary<readonly Action[]> = fc.oneof(
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
      // What whoever changed it has begun ends with the way back.
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
      .tuple(browser, holder, fc.constantFrom('add-key' as const, 'add-spare' as const, 'renew' as const))
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
          : { do: 'code', browser: other(tab), isRight: true, device: 'spare' },
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
