import { createRoot } from "react-dom/client";
import { Console } from "./app/console";
import { session } from "./lib/session";
import { followTheme } from "./app/theme";
import "./styles.css";

followTheme();
void session.start();
createRoot(document.getElementById("console")!).render(<Console />);
