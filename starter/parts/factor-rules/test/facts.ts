import type { PartFacts } from '../../../test/facts-of-parts.ts'

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  lists: { factor_deadline: { because: 'one for each rule of the program' } },
  kept: { factor_deadline: 'counts until a factor is there' },
  ledger: { deadlines: 'SELECT rule, at FROM factor_deadline ORDER BY rule' },
}
