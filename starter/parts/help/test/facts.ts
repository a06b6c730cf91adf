import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const help: Scene = {
  name: 'the help',
  shows: ['/{locale}/help', '/{locale}/help/{topic}'],
  async play(stage) {
    const visit = await stage.open()
    for (const path of ['/en/help', '/en/help/lost-device'])
      await stage.show(visit, path, path.slice(1).replaceAll('/', '-'))
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  placeholders: { '{topic}': 'signing-in' },
  scenes: [help],
  noPages: { '/help': 'redirects to the help in the language of the visitor' },
}
