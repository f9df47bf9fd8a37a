package shop

import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

// Each has a monitor that a patch has to leave alone.

class ForJava {
    companion object {
        @JvmStatic @Synchronized fun twice() = 2
    }
}

class OfItsClass {
    private fun f() = synchronized(OfItsClass::class.java) { 2 }
    fun g() = f()
}

class Waiting {
    private val lock = Object()
    fun await() = synchronized(lock) { lock.wait(1) }
}

open class Base {
    @Synchronized fun base() = 1
}

class Derived : Base() {
    @Synchronized fun derived() = 2
}

enum class Level {
    LOW, HIGH;
    @Synchronized fun level() = ordinal
}

class Variable {
    private var lock = Any()
    fun use() = synchronized(lock) { lock = Any() }
}

class Renamed {
    private val list = ArrayList<String>()
    fun use(): Int {
        val alias = list
        return synchronized(alias) { alias.size }
    }
}

class Outwards {
    private val lock = Any()
    private val outer = ReentrantLock()
    fun use() = outer.withLock { synchronized(lock) { if (lock.hashCode() == 0) return@withLock 1 }; 2 }
}

class OneLine {
    private val a = Any()
    private val b = Any()
    fun use() = synchronized(a) { 1 } + synchronized(b) { 2 }
}

class Inlined {
    private val lock = Any()
    private inline fun <T> locked(body: () -> T) = synchronized(lock) { body() }
    fun use() = locked { 1 }
}

class Anonymous {
    fun make() = object : Runnable {
        @Synchronized override fun run() {}
    }
}

enum class Entries {
    ONE {
        @Synchronized override fun f() = 1
    };
    abstract fun f(): Int
}

class Observed {
    private val lock = Any()
    var n by kotlin.properties.Delegates.observable(0) { _, _, new -> synchronized(lock) { println(new) } }
}
