import { testScenes } from './play-scenes.ts'
import { ACCOUNT } from './stages/account.ts'

testScenes(ACCOUNT)
