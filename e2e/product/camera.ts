import { writeFile } from "node:fs/promises";

const WIDTH = 640;
const HEIGHT = 480;
const LIGHT = 235;
const DARK = 16;
/** Each frame is shown for half a second. */
const FRAMES_A_SECOND = 2;

type Scene = { code: string | null; frames: number };

/** Writes a film for Chromium's fake camera, which loops it: codes, each in the middle of a frame. */
export async function writeFilm(path: string, scenes: readonly Scene[]): Promise<void> {
  const film = scenes.flatMap(({ code, frames }) => {
    const frame = Buffer.concat([Buffer.from("FRAME\n"), draw(code)]);
    return Array.from({ length: frames }, () => frame);
  });
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`;
  await writeFile(path, Buffer.concat([Buffer.from(header), ...film]));
}

/** One frame in YUV 4:2:0: the code in black on white, as large as fits with a margin. */
function draw(code: string | null): Buffer {
  const frame = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 128);
  frame.fill(LIGHT, 0, WIDTH * HEIGHT);
  if (code === null) return frame;
  const lines = code.trim().split("\n");
  const columns = lines[0]?.length ?? 0;
  const scale = Math.floor(Math.min((WIDTH - 80) / columns, (HEIGHT - 80) / Math.min(lines.length, columns)));
  const [left, height] = [Math.floor((WIDTH - columns * scale) / 2), lines.length === 1 ? 160 : lines.length * scale];
  const top = Math.floor((HEIGHT - height) / 2);
  for (let y = 0; y < height; y += 1) {
    const line = lines.length === 1 ? lines[0] : lines[Math.floor(y / scale)];
    for (let x = 0; x < columns * scale; x += 1) {
      if (line?.[Math.floor(x / scale)] === "#") frame[(top + y) * WIDTH + left + x] = DARK;
    }
  }
  return frame;
}
