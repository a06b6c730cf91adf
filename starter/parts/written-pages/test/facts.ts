import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { Pages } from '../pages.ts'

const written: Scene = {
  name: 'pages that the owner of the site wrote',
  shows: ['/*'],
  async play(stage) {
    const { world } = stage
    const body = 'Sallyport Ltd, 1 Gate Street.\n\nReachable by mail only.'
    const page = { slug: 'imprint', language: 'en', title: 'Imprint', body, state: 'published' } as const
    await world.app.get(Pages).save(page)
    const visit = await stage.open()
    await stage.show(visit, '/imprint', 'imprint')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [written],
  kept: { page: 'written by the operator' },
}
