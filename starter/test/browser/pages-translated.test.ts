import { testScenes } from './play-scenes.ts'
import { DOORS } from './stages/doors.ts'
import { FACTORS } from './stages/factors.ts'
import { SCENES_OF_PARTS } from '../facts-of-parts.ts'
import { OTHERS } from '../languages.ts'

// Words of other languages are longer: they must fit, too. Pages with a language in their path are not asked for by the browser.
const SCENES = [...FACTORS, ...DOORS, ...SCENES_OF_PARTS].filter(
  ({ shows }) => !shows.some((route) => route.startsWith('/{locale}/')),
)

for (const language of OTHERS) testScenes(SCENES, language)
