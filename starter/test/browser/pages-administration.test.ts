import { testScenes } from './play-scenes.ts'
import { ADMINISTRATION } from './stages/administration.ts'

testScenes(ADMINISTRATION)
