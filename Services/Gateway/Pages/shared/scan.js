// Reads a code with the camera, where the browser can.
import { el, say } from "./dom.js";
import { sheet } from "./sheet.js";
import { t } from "./text.js";

/** Between two looks at the picture. */
const lookMilliseconds = 150;

/** Whether this browser finds codes in pictures, and may ask for a camera. */
export async function canScan() {
  if (!("BarcodeDetector" in window) || !navigator.mediaDevices) return false;
  return (await BarcodeDetector.getSupportedFormats()).includes("qr_code");
}

/** Opens the camera in a sheet; resolves to the text of the first code, or undefined where it was left. */
export async function scan({ signal } = {}) {
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const video = el("video", { class: "camera", autoplay: true, playsinline: true, muted: true, "aria-label": t("code.camera") });
  const problem = el("p", { class: "problem", role: "alert" });
  let isLeft = false;
  let timer;
  const asked = navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const found = await sheet(t("code.camera"), (close) => {
    asked.then((stream) => {
      if (isLeft) return;
      video.srcObject = stream;
      timer = setInterval(async () => {
        if (video.readyState < video.HAVE_CURRENT_DATA) return;
        // A picture that cannot be read has no code.
        const [code] = await detector.detect(video).catch(() => []);
        if (code) close(code.rawValue);
      }, lookMilliseconds);
    }, () => say(problem, t("camera.none")));
    return [video, problem];
  }, { signal });
  isLeft = true;
  clearInterval(timer);
  // The browser may still be asking whether it may.
  asked.then((stream) => stream.getTracks().forEach((track) => track.stop()), () => {});
  return found;
}
