import { SCENES_OF_PARTS } from '../facts-of-parts.ts'
import { testScenes } from './play-scenes.ts'

testScenes(SCENES_OF_PARTS)
