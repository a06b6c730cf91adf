import { testScenes } from './play-scenes.ts'
import { RECOVERY } from './stages/recovery.ts'

testScenes(RECOVERY)
