// Pictures that people upload: made small enough before they are sent.
import { el } from "./dom.js";

/** The largest side that is sent, and the most bytes that the server keeps. */
const sideMax = 192;
const bytesMax = 9000;

/** The file as base64 of a small JPEG. Throws a refusal with this code where the browser cannot read it. */
export async function smallPicture(file, code) {
  const refusal = () => Object.assign(new Error(), { isPassing: false, code, title: "", detail: "" });
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw refusal();
  for (let side = sideMax; side >= 48; side -= 24) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = el("canvas", {
      width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)),
    });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const data = canvas.toDataURL("image/jpeg", 0.8).split(",")[1];
    if (data.length * 3 / 4 <= bytesMax) return data;
  }
  throw refusal();
}

/** The address of a picture that came in base64. */
export const addressOf = ({ kind }, data) => `data:image/${kind};base64,${data}`;
