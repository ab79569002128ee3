import { measureFrames } from "/work/main/bench/measurements/frames.ts";
import { openStage } from "/work/main/bench/stage/stage.ts";
const stage = await openStage();
try { console.log(JSON.stringify(await measureFrames(stage), null, 1)); } finally { await stage.close(); }
