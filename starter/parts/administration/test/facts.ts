import type { PartFacts } from '../../../test/facts-of-parts.ts'

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  lists: { new_factor: 'one' },
  kept: { new_factor: 'counts until a factor is there' },
}
