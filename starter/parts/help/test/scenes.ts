import type { Scene } from '../../../test/browser/stage.ts'

const help: Scene = {
  name: 'the help',
  shows: ['/{locale}/help', '/{locale}/help/{topic}'],
  async play(stage) {
    const visit = await stage.open()
    for (const path of ['/en/help', '/en/help/lost-device', '/en/help/programs'])
      await stage.show(visit, path, path.slice(1).replaceAll('/', '-'))
  },
}

/** What is seen of it. */
export const scenes: readonly Scene[] = [help]

/** GET routes that show no page, and why. */
export const noPages: Readonly<Record<string, string>> = {
  '/help': 'redirects to the help in the language of the visitor',
}
