import type { PartFacts } from '../../../test/facts-of-parts.ts'

/** What the tests of the core know of it. */
export const facts: PartFacts = { noPages: { '/api/accounts': 'JSON' } }
