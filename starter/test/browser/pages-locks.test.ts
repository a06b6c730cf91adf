import { testScenes } from './play-scenes.ts'
import { LOCKS } from './stages/locks.ts'

testScenes(LOCKS)
