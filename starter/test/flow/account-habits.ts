/** What people, administrators and attackers do with accounts, by chance. @module */
import fc from 'fast-check'
import { type Action, browser, code, newest, password, step, who } from './account-actions.ts'
import { ends, lives } from './habits-of-accounts.ts'
import { locks, proofs, stepUps } from './habits-of-proofs.ts'

const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('password' as const), browser, who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('code' as const), browser, isRight: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('look', 'logout', 'add-key', 'renew', 'enroll', 'enroll', 'leave'),
      browser,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('add-spare', 'remove-spare', 'new-address', 'lose', 'continue'),
      browser,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('code' as const),
      browser,
      step,
      isRight: fc.constant(true),
      device: fc.constant('spare' as const),
    }),
  },
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
      device: fc.constantFrom('app' as const, 'app' as const, 'spare' as const),
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
      do: fc.constantFrom('unlock', 'use-address', 'use-restore', 'use-lost', 'stop-lost'),
      browser,
      link: newest,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('others', 'all'), browser }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(30, 30, 299, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), who, enabled: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('change', 'reset', 'take-away', 'attack'), who }) },
)

// Several steps with an aim: blind single steps hardly ever get that far.
const habit: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 5, arbitrary: single.map((one) => [one]) },
  { weight: 12, arbitrary: proofs },
  { weight: 7, arbitrary: stepUps },
  { weight: 9, arbitrary: ends },
  { weight: 10, arbitrary: lives },
  { weight: 4, arbitrary: locks },
)

/** What happens to the accounts of an installation. */
export const sequence: fc.Arbitrary<readonly (readonly Action[])[]> = fc.array(habit, {
  minLength: 2,
  maxLength: 4,
  size: 'max',
})
