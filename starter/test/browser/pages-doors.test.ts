import { testScenes } from './play-scenes.ts'
import { DOORS } from './stages/doors.ts'

testScenes(DOORS)
