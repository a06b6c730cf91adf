import { testScenes } from './play-scenes.ts'
import { FACTORS } from './stages/factors.ts'

testScenes(FACTORS)
