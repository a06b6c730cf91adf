import { testScenes } from './play-scenes.ts'
import { DEVICES } from './stages/devices.ts'

testScenes(DEVICES)
testScenes(DEVICES, 'de')
