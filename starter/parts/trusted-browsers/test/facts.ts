import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { SCENES } from './scenes.ts'

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: SCENES,
  lists: { trusted_browser: 'expires' },
  notices: {
    'device-trusted': { device: { id: 'device.unknown' }, until: { at: 1_769_817_600 } },
    'device-replayed': { device: { id: 'device.unknown' } },
  },
}
