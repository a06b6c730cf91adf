import { testScenes } from './play-scenes.ts'
import { OWNER } from './stages/owner.ts'

testScenes(OWNER)
