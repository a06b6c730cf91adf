import { testScenes } from './play-scenes.ts'
import { FIRST_DOORS } from './stages/first-doors.ts'

testScenes(FIRST_DOORS)
