/** Plays scenes as tests. @module */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Language, LANGUAGE_NAMES } from '../../core/messages/language.ts'
import { Judge, missingBrowser } from 'sallyport-app/testing/browser'
import { FIELD_RULES } from './fields.ts'
import { getRoutes } from './page-routes.ts'
import { type Scene, Stage } from './stage.ts'
import { World } from './world.ts'

// All of them, or some, at random.
const [STRIDE, STRIDE_OF_OTHERS] = process.env['TEST_SAMPLE'] === '1' ? [3, 5] : [1, 1]

function someOf(scenes: readonly Scene[], stride: number): readonly Scene[] {
  const first = Math.floor(Math.random() * Math.min(stride, scenes.length))
  return scenes.filter((_, index) => index % stride === first)
}

/** Has a test for each scene: what must hold on every page holds on each of its pages. */
export function testScenes(scenes: readonly Scene[], locale: Language = 'en'): void {
  describe(
    `every page in its states, in ${LANGUAGE_NAMES[locale]}`,
    { skip: missingBrowser ?? false },
    () => {
      const world = new World()

      for (const scene of someOf(scenes, locale === 'en' ? STRIDE : STRIDE_OF_OTHERS))
        it(`fits 320 px, has enough contrast, labels and announced errors: ${scene.name} [RA-3103 FLOW-48 FLOW-49]`, async () => {
          const judge = new Judge({
            routes: await getRoutes(),
            fields: FIELD_RULES,
            errorTitle: /^(?:Error|Fehler): /,
            isThorough: process.env['NIGHTLY'] === '1',
          })

          await Stage.play({
            browser: world.browser,
            scene,
            window: { locale },
            look: (visit, name) => judge.look(visit, name),
          })

          assert.deepEqual(judge.seen, scene.shows.toSorted(), 'the routes that the scene says it shows')
        })
    },
  )
}
