import type { PartScenes } from '../../../test/browser/stages/parts.ts'

const help: PartScenes['scenes'][number] = {
  name: 'the help',
  shows: ['/{locale}/help', '/{locale}/help/{topic}'],
  async play(stage) {
    const visit = await stage.open()
    for (const path of ['/en/help', '/en/help/lost-device', '/en/help/programs'])
      await stage.show(visit, path, path.slice(1).replaceAll('/', '-'))
  },
}

/** What is seen of it. */
export const scenes: PartScenes['scenes'] = [help]

/** GET routes that show no page, and why. */
export const noPages: PartScenes['noPages'] = {
  '/help': 'redirects to the help in the language of the visitor',
}
